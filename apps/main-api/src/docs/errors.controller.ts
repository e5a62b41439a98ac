import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ERRORS, isRetryable, SOMETIMES_RETRYABLE, type ErrorCode } from '@libs/domain';
import { Cacheable, Public, Returns } from '@libs/http';
import { ErrorEntryView } from './error-entry.view.js';

@ApiTags('Errors')
@Controller('errors')
export class ErrorsController {
  /** Lists every error code with its status and its remedy. */
  @Get()
  @Public('documentation')
  @Cacheable()
  @Returns([ErrorEntryView])
  list(): ErrorEntryView[] {
    return (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
      code,
      ...ERRORS[code],
      retryable: SOMETIMES_RETRYABLE.includes(code) ? 'sometimes' : isRetryable(code),
    }));
  }
}
