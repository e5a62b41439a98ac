let token: string | null = null;

/** The token that writes of this session send. Only in the memory of the tab: the cookie alone must not be enough. */
export const csrfToken = (): string | null => token;

export function keepCsrfToken(next: string | null): void {
  token = next;
}
