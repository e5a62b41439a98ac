import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { isLoopbackHost } from '@libs/domain/starts';
import { EmailTokensRepository, UsersRepository } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import type { ClientFacts } from './client.decorator.js';
import { hashEmailToken } from './email-tokens.js';
import type { StartedSession } from './session-cookies.js';
import { SessionsService } from './sessions.service.js';

type FirstSignInSettings = Pick<MainApiConfig, 'MAIN_API_HOST' | 'MAIN_API_ON_LOOPBACK_OF_HOST'>;

/** Signs the first owner in by the link that the start prints. Only for a person at the machine itself. */
@Injectable()
export class FirstSignIns {
  constructor(
    private readonly tokens: EmailTokensRepository,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    @Inject(MAIN_API_CONFIG) private readonly config: FirstSignInSettings,
  ) {}

  /**
   * `old`: the token of the session that the client has sent. The refusal is the same for every fault.
   * @throws DomainError first_sign_in_invalid
   */
  async signIn(token: string, client: ClientFacts, old: string | null): Promise<StartedSession> {
    const userId = isHere(client, this.config) ? await this.tokens.use('first_sign_in', hashEmailToken(token)) : null;
    const user = userId === null ? null : await this.users.find(userId);
    if (!user?.isVerified)
      throw new DomainError('first_sign_in_invalid', 'The link is wrong, has expired or was used before.');
    return this.sessions.start(user, client, old);
  }
}

/** Whether the client is at the machine itself, or at the machine on whose loopback address the ports of this container are published. */
const isHere = (client: ClientFacts, settings: FirstSignInSettings): boolean =>
  settings.MAIN_API_ON_LOOPBACK_OF_HOST
    ? client.isMeantForThisMachine
    : client.isFromThisMachine && isLoopbackHost(settings.MAIN_API_HOST);
