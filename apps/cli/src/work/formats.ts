import type { AnyFormat, Container } from '@pchronicle/storyline-core';
import type { FormatsOptions } from '../commands/formats.ts';
import type { Context } from '../context.ts';
import { formatNamed, registry } from '../formats.ts';
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

/** Lists the formats from their own declarations, or shows one of them in full. */
export async function listFormats(
  name: string | undefined,
  options: FormatsOptions,
  context: Context,
): Promise<void> {
  const chosen = name === undefined ? registry.formats : [formatNamed(name)];
  const formats = chosen.map(listed);
  if (options.json === true) return await context.stdout.writeJson(`${JSON.stringify({ formats })}\n`);
  const text = name === undefined ? table(formats, context) : formats.map(details).join('\n');
  await context.stdout.write(`${text}\n`);
}

function table(formats: readonly ListedFormat[], context: Context): string {
  return formatTable(
    formats,
    [
      { title: 'FORMAT', text: ({ id }) => id },
      { title: 'ALSO', text: ({ aliases }) => aliases.join(', ') || '-' },
      { title: 'TITLE', text: ({ title }) => title, min: 12 },
      { title: 'READS', text: ({ reads, containers }) => (reads ? containers.join(', ') : '-'), min: 12 },
      { title: 'WRITES', text: ({ writes }) => (writes ? 'yes' : 'no') },
      { title: 'ROUND TRIP', text: ({ fidelity }) => roundTrip(fidelity.roundTrip), min: 10 },
      { title: 'OF STORYLINE', text: keeps, min: 10 },
      { title: 'FILES', text: ({ extensions }) => extensions.join(' '), min: 8 },
    ],
    context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY,
    context.style,
  );
}

function roundTrip(kept: string): string {
  return kept === 'normalised' ? 'exact (normal form)' : 'no';
}

// What of another format's trajectory this one has a place for.
function keeps({ writes, fidelity: { expresses } }: ListedFormat): string {
  if (!writes) return '-';
  return expresses.includes('') ? 'everything' : `${expresses.length} parts whole`;
}

function details(format: ListedFormat): string {
  const { expresses, roundTrip: kept } = format.fidelity;
  const schema = format.schema === null ? '-' : `${format.schema.id} (${format.schema.version})`;
  return [
    `format      ${[format.id, ...format.aliases].join(', ')}`,
    `title       ${format.title}`,
    `files       ${format.extensions.join(' ')}`,
    `reads       ${format.reads ? format.containers.join(', ') : 'no'}`,
    `writes      ${format.writes ? `yes, as ${format.containers[0] ?? 'document'} by default` : 'no'}`,
    `schema      ${schema}`,
    `round trip  ${roundTrip(kept)}`,
    `keeps       ${expresses.includes('') ? 'every part of a Storyline' : 'these parts of any Storyline whole; of the others what its rules allow (each loss is named; --carry takes it along):'}`,
    ...(expresses.includes('') ? [] : expresses.map((pointer) => `            ${pointer}`)),
  ].join('\n');
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
