import { type Command, Option } from 'commander';
import { define, jsonOption, type Start, storeOption } from './define.ts';
import { parseAge } from './parse.ts';
import { type SelectOptions, withSelectOptions } from './select-options.ts';

/** Options of every `store` command. */
export interface StoreOptions {
  readonly store: string;
  readonly json?: boolean;
}

/** Options of `store delete`. */
export interface StoreDeleteOptions extends StoreOptions, SelectOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Options of `store maintain`: seconds. */
export interface StoreMaintainOptions extends StoreOptions {
  readonly retention: number;
  readonly safetyAge: number;
  readonly dropDamaged?: boolean;
}

/** `pchronicle store …`. */
export function storeCommand(start: Start): Command {
  return define('store', 'look after the store', ['store info', 'store verify --json', 'store maintain'])
    .addCommand(storeInfoCommand(start))
    .addCommand(storeVerifyCommand(start))
    .addCommand(storeDeleteCommand(start))
    .addCommand(storeMaintainCommand(start))
    .addCommand(storeVersionsCommand(start))
    .addCommand(storeTagCommand(start))
    .addCommand(storeUntagCommand(start));
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

function storeDeleteCommand(start: Start): Command {
  const command = define('delete', 'delete trajectories: hidden at once, gone for good after maintenance', [
    'store delete make-report-q3#attempt-2',
    'store delete --run nightly-7 --dry-run',
    "store delete --where \"status = 'failed' AND last_time < '2026-01-01'\" --yes",
  ])
    .argument('[ids...]', 'document ids or keys, sessions, runs; each must name one trajectory')
    .addOption(storeOption());
  return withSelectOptions(command)
    .option('--dry-run', 'list what would be deleted and change nothing')
    .option('-y, --yes', 'do not ask')
    .addOption(jsonOption('print {"store","dry_run","deleted","runs":[…]}'))
    .action((ids: string[], options: StoreDeleteOptions, self: Command) =>
      start(self, async (context) =>
        (await import('../work/store-delete.ts')).storeDelete(ids, options, context),
      ),
    );
}

function storeMaintainCommand(start: Start): Command {
  return define('maintain', 'purge what no longer counts, compact, refresh indexes, remove old versions', [
    'store maintain',
    'store maintain --retention 1d --json',
  ])
    .addOption(storeOption())
    .addOption(
      new Option(
        '--retention <time>',
        'how long old versions and deleted rows stay readable: 12h, 7d; with less than the longest read, readers may lose their files',
      )
        .argParser(parseAge)
        .default(604_800, '7d'),
    )
    .addOption(
      new Option(
        '--safety-age <time>',
        'age from which rows and files of unfinished imports count as abandoned: 12h, 1d',
      )
        .argParser(parseAge)
        .default(86_400, '1d'),
    )
    .option(
      '--drop-damaged',
      'first drop rows of steps and calls that cannot be read; refused while a trajectory needs one (store verify names them: delete them, or put the files back)',
    )
    .addOption(jsonOption('print one object'))
    .action((options: StoreMaintainOptions, self: Command) =>
      start(self, async (context) =>
        (await import('../work/store-maintain.ts')).storeMaintain(options, context),
      ),
    );
}

function storeVersionsCommand(start: Start): Command {
  return define('versions', 'the versions that are kept, with their tags', [
    'store versions',
    'store versions --json',
  ])
    .addOption(storeOption())
    .addOption(jsonOption('print {"store","versions":[…]}'))
    .action((options: StoreOptions, self: Command) =>
      start(self, async (context) =>
        (await import('../work/store-versions.ts')).storeVersions(options, context),
      ),
    );
}

function storeTagCommand(start: Start): Command {
  return define('tag', 'keep the present state readable under a name', [
    'store tag before-cleanup',
    'export --to actf --as-of before-cleanup -o before/',
  ])
    .argument('<name>', 'letters, digits, ".", "_" and "-"')
    .addOption(storeOption())
    .addOption(jsonOption('print {"store","tag","version"}'))
    .action((name: string, options: StoreOptions, self: Command) =>
      start(self, async (context) => (await import('../work/store-tag.ts')).storeTag(name, options, context)),
    );
}

function storeUntagCommand(start: Start): Command {
  return define('untag', 'let go of a tag; maintenance may then remove its version', [
    'store untag before-cleanup',
  ])
    .argument('<name>', 'the tag')
    .addOption(storeOption())
    .addOption(jsonOption('print {"store","untagged"}'))
    .action((name: string, options: StoreOptions, self: Command) =>
      start(self, async (context) =>
        (await import('../work/store-untag.ts')).storeUntag(name, options, context),
      ),
    );
}
