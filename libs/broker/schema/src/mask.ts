/** What a secret is read as (C-16.6). Sent back, it means the secret that is there. */
export const MASK = '********';
