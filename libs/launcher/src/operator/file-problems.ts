const CODES = ['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS'];

/** Whether the machine refused a file: the disk is full, or the user may not write. The message of the error says enough. */
export function isFileProblem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && CODES.includes((error as NodeJS.ErrnoException).code ?? '');
}
