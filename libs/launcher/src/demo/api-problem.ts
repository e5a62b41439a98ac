import { LauncherError } from '../launcher-error.js';

/** The parts of a refusal (`application/problem+json`) that the demo shows. */
export interface Problem {
  code?: string;
  title?: string;
  detail?: string;
  instance?: string;
  field_issues?: { path: string; reason: string }[];
}

/** An unexpected answer. Its message contains all information from the API. */
export class ApiProblem extends LauncherError {
  constructor(
    request: string,
    readonly status: number,
    readonly problem: Problem,
  ) {
    super([`${request} returned ${status}`, ...linesOf(problem)].join('\n'));
  }
}

function linesOf({ title, code, detail, instance, field_issues: issues = [] }: Problem): string[] {
  const members = { title, code, detail, instance };
  return [
    ...Object.entries(members).flatMap(([name, value]) => (value ? [`  ${name.padEnd(9)} ${value}`] : [])),
    ...issues.map(({ path, reason }) => `  ${'field'.padEnd(9)} ${path} ${reason}`),
  ];
}
