import {
  type Format,
  fieldsOf,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  reportLosses,
  residuals,
  restoreResiduals,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';

const KNOWN = new Set(['id', 'src', 'msg']);

function turnJson(turn: Turn): JsonObject {
  return { id: turn.id, src: turn.src, msg: turn.msg };
}

function turnOf(value: Json): Turn {
  const turn = isJsonObject(value) ? value : {};
  return {
    id: (getOwn(turn, 'id') ?? 0) as number,
    src: (getOwn(turn, 'src') ?? 'x') as string,
    msg: getOwn(turn, 'msg') ?? null,
  };
}

interface Frame {
  readonly run: string | undefined;
}

interface Part {
  readonly session: string;
  readonly run?: string;
  readonly turns: readonly Turn[];
  readonly unknown: ReturnType<typeof residuals>;
}

function storylineOf({ session, run, turns, unknown }: Part): Storyline {
  return {
    schema_version: 'storyline/v1',
    session,
    agent: { id: 'toy' },
    ...(run === undefined ? {} : { run }),
    turns,
    ...unknown.build(),
  };
}

const ENTRY_PATTERNS = ['/session', '/run', '/turns/*/id', '/turns/*/src', '/turns/*/msg', '/agent/id'];

/** A format whose documents are `{"run"?, "items": {session: {"turns": […]}}}`: one entry, one Storyline. */
export const toyEntries = {
  id: 'toy-entries',
  title: 'toy entries',
  extensions: ['.toy.json'],
  containers: [
    { kind: 'entries', outer: 'document', member: 'items' },
    { kind: 'entries', outer: 'array', member: 'items' },
    { kind: 'entries', outer: 'lines', member: 'items' },
  ],
  fidelity: { roundTrip: 'normalised', expresses: ENTRY_PATTERNS },
  detect: () => ({ confidence: 'maybe', why: 'toy' }),
  reader: {
    frame: ({ root }) => ({ run: getOwn(root, 'run') as string | undefined }),
    decode({ frame, key = '', values }) {
      for (const { value, at } of values()) {
        const entry = isJsonObject(value) ? value : {};
        const unknown = residuals('toy-entries', frame.run ?? '');
        const turns = (getOwn(entry, 'turns') ?? []) as readonly Json[];
        for (const [index, turn] of turns.entries()) {
          for (const name of isJsonObject(turn) ? Object.keys(turn) : []) {
            if (!KNOWN.has(name))
              unknown.add(`${at.pointer}/turns/${index}/${name}`, (turn as JsonObject)[name] ?? null);
          }
        }
        return {
          session: key,
          ...(frame.run === undefined ? {} : { run: frame.run }),
          turns: turns.map(turnOf),
          unknown,
        };
      }
      return undefined;
    },
    toStorylines: (part) => [storylineOf(part)],
  },
  writer: {
    group: (head) => head.run ?? '',
    compare: (left, right) => (left.session < right.session ? -1 : left.session > right.session ? 1 : 0),
    frame: ([head]) => ({ run: head?.run }),
    root: ({ run }): JsonObject => (run === undefined ? {} : { run }),
    write(storyline, _frame, report) {
      reportLosses(ENTRY_PATTERNS, storyline, report);
      const value: MutableJsonObject = { turns: storyline.turns.map(turnJson) };
      const base = `/items/${storyline.session.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      restoreResiduals(value, fieldsOf(storyline, 'toy-entries') ?? {}, { base }, report);
      return [{ key: storyline.session, value }];
    },
  },
} as const satisfies Format<Frame, Part>;

const ROW_PATTERNS = ['/session', '/turns/*/id', '/turns/*/src', '/turns/*/msg', '/agent/id', '/run'];

/** A format of rows `{"s": session, "n": position, "turn"}`: the rows of one session are one Storyline. */
export const toyRows = {
  id: 'toy-rows',
  title: 'toy rows',
  extensions: ['.rows.json'],
  containers: [
    { kind: 'rows', in: 'member', member: 'rows', group: 's', order: ['n'] },
    { kind: 'rows', in: 'array', member: 'rows', group: 's', order: ['n'] },
    { kind: 'rows', in: 'lines', member: 'rows', group: 's', order: ['n'] },
  ],
  fidelity: { roundTrip: 'normalised', expresses: ROW_PATTERNS },
  detect: () => ({ confidence: 'maybe', why: 'toy' }),
  reader: {
    frame: () => ({ run: undefined }),
    decode({ key = '', values }) {
      const turns: Turn[] = [];
      for (const { value } of values())
        turns.push(turnOf(isJsonObject(value) ? (getOwn(value, 'turn') ?? null) : null));
      return { session: key, turns, unknown: residuals('toy-rows', '') };
    },
    toStorylines: (part) => [storylineOf(part)],
  },
  writer: {
    group: (head) => head.run ?? '',
    frame: () => ({ run: undefined }),
    root: () => ({}),
    *write(storyline, _frame, report) {
      reportLosses(ROW_PATTERNS, storyline, report);
      for (const [n, turn] of storyline.turns.entries())
        yield { value: { s: storyline.session, n, turn: turnJson(turn) } };
    },
  },
} as const satisfies Format<Frame, Part>;
