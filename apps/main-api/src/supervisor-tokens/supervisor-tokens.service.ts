import { Injectable } from '@nestjs/common';
import { SupervisorTokens } from '@libs/access';
import { DomainError, SUPERVISOR_TOKEN_SECONDS, validationFailed } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { CellsRepository, UsersRepository, type KnownCell } from '@libs/persistence/organization';
import type { CreateSupervisorTokenDto } from './dto/create-supervisor-token.dto.js';
import type { SupervisorTokenView } from './dto/supervisor-token.view.js';

/** Gives signed-in users tokens for Supervisors. */
@Injectable()
export class SupervisorTokensService {
  constructor(
    private readonly cells: CellsRepository,
    private readonly users: UsersRepository,
    private readonly tokens: SupervisorTokens,
  ) {}

  /** @throws DomainError validation_failed when no Supervisor has the address */
  async create(
    { caller, session, tenantId }: ActingCaller,
    { supervisor_url }: CreateSupervisorTokenDto,
  ): Promise<SupervisorTokenView> {
    const cell = cellAt(await this.cells.list(), supervisor_url);
    if (!cell) throw validationFailed([{ path: '/supervisor_url', code: 'unknown', reason: UNKNOWN }]);
    const user = await this.users.find(caller.user.id);
    // The user was deleted between the guard and this query.
    if (!user) throw new DomainError('unauthenticated', 'The session has ended.');
    const expiresAt = Math.floor(Date.now() / 1000) + SUPERVISOR_TOKEN_SECONDS;
    const token = this.tokens.sign({
      ...{ userId: user.id, sessionId: session.id, tenantId, passwordStamp: user.passwordStamp },
      ...{ expiresAt, cell: cell.cell },
    });
    return { token, supervisor_url: cell.url, expires_at: new Date(expiresAt * 1000).toISOString() };
  }
}

const UNKNOWN = 'must be the supervisor_url of a deployment';

const originOf = (url: string): string | null => {
  const origin = URL.parse(url)?.origin ?? 'null';
  return origin === 'null' ? null : origin;
};

/** Supervisors behind one proxy can share an origin. Then the whole address decides. */
function cellAt(cells: readonly KnownCell[], url: string): KnownCell | undefined {
  const origin = originOf(url);
  const addressed = origin === null ? [] : cells.filter((cell) => originOf(cell.url) === origin);
  return addressed.find((cell) => cell.url === url) ?? addressed[0];
}
