/** The start of the argument with which the launcher marks the apps of its installation. */
export const APP_FLAG = '--landlord-app=';

/** Whether the launcher has started this process. It has already reported the warnings of the start. */
export const isLaunched = (argv: readonly string[] = process.argv): boolean =>
  argv.some((argument) => argument.startsWith(APP_FLAG));
