/** The environment variables of this process. */
export const ownEnvironment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
