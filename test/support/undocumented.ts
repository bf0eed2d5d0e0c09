/** Have a comment, both. */
export const documented = 1;
export const below = 2;

export const bare = 3;
export function alone(): void {}
