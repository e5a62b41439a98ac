import { readFileSync } from 'node:fs';
import { Inject, Injectable } from '@nestjs/common';
import { gatewayAuthority } from '@libs/domain';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';

/** The files that a host reads before it has a credential. Read once: the operator's command prints their hashes. */
@Injectable()
export class MachineFiles {
  /** PEM. Null without TLS. */
  readonly authority: string | null;
  readonly script: string;

  constructor(@Inject(SUPERVISOR_CONFIG) config: SupervisorConfig) {
    this.authority = gatewayAuthority(config);
    this.script = readFileSync(new URL('join.sh', import.meta.url), 'utf8');
  }
}
