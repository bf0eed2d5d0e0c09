import type { AnyFormat, Container } from '@pchronicle/storyline-core';
import type { FormatsOptions } from '../commands/formats.ts';
import type { Context } from '../context.ts';
import { registry } from '../formats.ts';
import { formatTable } from '../terminal/table.ts';

/** One format of `formats --json`. */
export interface ListedFormat {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly extensions: readonly string[];
  readonly reads: boolean;
  readonly writes: boolean;
  /** In what they lie; the first is written by default. */
  readonly containers: readonly string[];
  readonly schema: { readonly id: string; readonly version: string } | null;
  readonly fidelity: { readonly roundTrip: string; readonly expresses: readonly string[] };
}

/** Lists the formats from their own declarations. */
export async function listFormats(options: FormatsOptions, context: Context): Promise<void> {
  const formats = registry.formats.map(listed);
  if (options.json === true) return await context.stdout.writeJson(`${JSON.stringify({ formats })}\n`);
  const text = formatTable(
    formats,
    [
      { title: 'FORMAT', text: ({ id }) => id },
      { title: 'ALSO', text: ({ aliases }) => aliases.join(', ') || '-' },
      { title: 'TITLE', text: ({ title }) => title, min: 12 },
      { title: 'READS', text: ({ reads, containers }) => (reads ? containers.join(', ') : '-'), min: 12 },
      { title: 'WRITES', text: ({ writes }) => (writes ? 'yes' : 'no') },
      {
        title: 'ROUND TRIP',
        text: ({ fidelity }) =>
          fidelity.roundTrip === 'normalised' ? 'exact but for the listed normalisations' : '-',
        min: 12,
      },
      { title: 'FILES', text: ({ extensions }) => extensions.join(' '), min: 8 },
    ],
    context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY,
    context.style,
  );
  await context.stdout.write(`${text}\n`);
}

function listed(format: AnyFormat): ListedFormat {
  return {
    id: format.id,
    aliases: format.aliases ?? [],
    title: format.title,
    extensions: format.extensions,
    reads: format.reader !== undefined,
    writes: format.writer !== undefined,
    containers: [...new Set(format.containers.map(containerName))],
    schema: format.schema ?? null,
    fidelity: format.fidelity,
  };
}

function containerName(container: Container): string {
  switch (container.kind) {
    case 'external':
      return 'database';
    case 'rows':
      return container.in === 'member' ? 'document' : container.in;
    default:
      return container.outer;
  }
}
