// What the benches of the store measure with.

/** Median milliseconds of some calls, the first (which opens files and indexes) left out, and that first one. */
export async function each(items, action) {
  const times = [];
  for (const item of items) {
    const start = performance.now();
    await action(item);
    times.push(performance.now() - start);
  }
  const [first, ...later] = times;
  later.sort((left, right) => left - right);
  return { first: round(first), median: round(later[later.length >> 1]), worst: round(later.at(-1)) };
}

/** A figure with as many digits as mean something. */
export const round = (number) => Number(number.toFixed(number < 10 ? 2 : 0));

/** Seconds that an action takes, and what it gives. */
export async function seconds(action) {
  const start = performance.now();
  const value = await action();
  return [round((performance.now() - start) / 1000), value];
}

/** Number of items. */
export async function count(items) {
  let found = 0;
  for await (const _ of items) found += 1;
  return found;
}

/** Fails when what was measured did not do its work. */
export function expect(found, wanted, what) {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
}
