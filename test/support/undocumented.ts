/** Has a comment. */
export const documented = 1;

export const bare = 2;
