/** The object made of those members that are not `undefined`: for optional members, which may be absent but never `undefined`. */
export function defined<T extends object>(members: { readonly [Key in keyof T]: T[Key] | undefined }): T {
  const kept: Partial<T> = {};
  for (const key of Object.keys(members) as (keyof T)[])
    if (members[key] !== undefined) kept[key] = members[key];
  return kept as T;
}
