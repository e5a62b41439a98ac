/** What the next page of a person without a session must know, too: where the person is on the way to, and what was typed. */
export const carried = (next: string | undefined, email: string) => ({
  ...(next !== undefined && { next }),
  ...(email !== '' && { email }),
});
