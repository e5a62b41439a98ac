import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { endAfterBody } from '@libs/domain/admission';
import type { Request, Response } from 'express';
import { Connections } from '../access/connections.js';
import { Shutdown } from '../lifetime/shutdown.js';
import { factsOf } from '../request-facts.js';
import { StoredAnswerReplay } from '../writes/stored-answer-replay.js';
import { allowedMethods } from './allowed-methods.js';
import { outageRefusal } from './outage-refusal.js';
import { problemHeaders, toProblem } from './problem.js';
import { RefusalLog } from './refusal-log.js';

/** Converts every error to a problem document with the id of the request. No other code writes errors. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');
  private readonly refusals = new RefusalLog(this.logger);

  constructor(
    private readonly shutdown: Shutdown,
    private readonly connections: Connections,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (thrown instanceof StoredAnswerReplay) return thrown.send(response);
    const { requestId } = factsOf(request);
    const error = this.toDomainError(thrown, request, response);
    if (this.shutdown.signal.aborted) response.setHeader('connection', 'close');
    this.connections.closeAfter(error.status, request, response);
    const body = JSON.stringify(toProblem(error, requestId));
    response.writeHead(error.status, { ...problemHeaders(error), 'content-length': Buffer.byteLength(body) });
    endAfterBody(request, response, body);
  }

  private toDomainError(thrown: unknown, request: Request, response: Response): DomainError {
    if (thrown instanceof DomainError && thrown.status < 500) return thrown;
    if (thrown instanceof HttpException && thrown.getStatus() === 404) return unknownRoute(request, response);
    // The router refuses a path that it cannot decode. Such a path has no route.
    if (thrown instanceof HttpException && thrown.getStatus() === 400)
      return new DomainError('route_not_found', 'The path is not percent-encoded UTF-8.');
    const { requestId: instance, traceId } = factsOf(request);
    const about = { instance, traceId, method: request.method, path: request.path };
    const refusal = thrown instanceof DomainError ? thrown : outageRefusal(thrown);
    if (refusal !== null) {
      this.refusals.tell(refusal.code, { ...about, detail: refusal.detail, ...causeOf(refusal) });
      return refusal;
    }
    this.logger.error({ ...about, err: thrown }, 'request failed');
    return new DomainError('internal_error', 'An unexpected error happened in the server.', { cause: thrown });
  }
}

/** What the database or the disk said, for the operator. The caller gets only the detail. */
const causeOf = ({ cause }: DomainError): object => (cause instanceof Error ? { reason: cause.message } : {});

/** A path with other methods is refused with these methods. Every other path has no route. */
function unknownRoute(request: Request, response: Response): DomainError {
  const methods = allowedMethods(request);
  if (methods.length === 0) return new DomainError('route_not_found', `No route ${request.method} ${request.path}.`);
  response.setHeader('allow', methods.join(', '));
  return new DomainError('method_not_allowed', `${request.path} accepts ${methods.join(', ')}.`);
}
