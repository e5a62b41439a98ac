/** The value that callers read instead of a secret (C-16.6). When it is sent back, the stored secret stays. */
export const MASK = '********';
