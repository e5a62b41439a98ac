/** What a secret is read as (fills 7, "Config"). Sent back, it means the secret that is there. */
export const MASK = '********';
