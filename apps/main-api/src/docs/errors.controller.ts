import { Get } from '@nestjs/common';
import { ERRORS, isRetryable, SOMETIMES_RETRYABLE, type ErrorCode } from '@libs/domain';
import { Cacheable, everybody, Reads, Routes } from '@libs/http';
import { ErrorEntryView } from './error-entry.view.js';

@Routes('errors', 'Errors')
export class ErrorsController {
  /** Lists every error code with its status and its remedy. */
  @Get()
  @Reads(everybody('documentation'), [ErrorEntryView])
  @Cacheable()
  list(): ErrorEntryView[] {
    return (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
      code,
      ...ERRORS[code],
      retryable: SOMETIMES_RETRYABLE.includes(code) ? 'sometimes' : isRetryable(code),
    }));
  }
}
