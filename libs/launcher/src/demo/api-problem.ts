import { LauncherError } from '../launcher-error.js';

/** What the API says in a refusal (`application/problem+json`), as far as the demo shows it. */
export interface Problem {
  code?: string;
  title?: string;
  detail?: string;
  instance?: string;
  field_issues?: { path: string; reason: string }[];
}

/** An answer that the demo did not want; its message tells all that the API told. */
export class ApiProblem extends LauncherError {
  constructor(
    request: string,
    readonly status: number,
    readonly problem: Problem,
  ) {
    super([`${request} answered ${status}`, ...linesOf(problem)].join('\n'));
  }
}

function linesOf({ title, code, detail, instance, field_issues: issues = [] }: Problem): string[] {
  const known = { title, code, detail, instance };
  return [
    ...Object.entries(known).flatMap(([name, value]) => (value ? [`  ${name.padEnd(9)} ${value}`] : [])),
    ...issues.map(({ path, reason }) => `  ${'field'.padEnd(9)} ${path} ${reason}`),
  ];
}
