/**
 * Generated mutants that no test can kill, because they behave like the original. Each has a reason. An entry has the
 * lines as the command prints them.
 */
export const EQUIVALENT = [];
