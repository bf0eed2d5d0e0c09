import type { Command } from 'commander';
import { define, jsonOption, type Start, storeOption } from './define.ts';

/** Options of `store info` and `store verify`. */
export interface StoreOptions {
  readonly store: string;
  readonly json?: boolean;
}

/** `pchronicle store …`. */
export function storeCommand(start: Start): Command {
  return define('store', 'look after the store', ['store info', 'store verify --json'])
    .addCommand(storeInfoCommand(start))
    .addCommand(storeVerifyCommand(start));
}

function storeInfoCommand(start: Start): Command {
  return define('info', 'sizes, rows and versions of the tables', ['store info', 'store info --json'])
    .addOption(storeOption())
    .addOption(jsonOption('print one object'))
    .action((options: StoreOptions, self: Command) =>
      start(self, async (context) => (await import('../work/store-info.ts')).storeInfo(options, context)),
    );
}

function storeVerifyCommand(start: Start): Command {
  return define('verify', 'read every trajectory back and compare its content hash', [
    'store verify',
    'store verify --json',
  ])
    .addOption(storeOption())
    .addOption(jsonOption('print one object'))
    .action((options: StoreOptions, self: Command) =>
      start(self, async (context) => (await import('../work/store-verify.ts')).storeVerify(options, context)),
    );
}
