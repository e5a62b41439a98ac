/** The environment of this process, as it was given. */
export const ownEnvironment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
