import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { JOIN_LIMIT_BYTES, MACHINE_PATHS, MACHINE_STATUS_LIMIT_BYTES, type JoinAnswer } from '@libs/domain';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';
import { heartbeatMs, Installation } from '../../platform/index.js';
import { closedBy, parametersOf, sendAnswer, sendNothingNew, type Serve } from '../answers.js';
import { readMessage } from '../read-message.js';
import { invalid, Refused } from '../refused.js';
import { MachineDocuments } from './machine-documents.js';
import { MachineFiles } from './machine-files.js';
import { MachineListener } from './machine-listener.js';
import { joinSchema, machineDesiredSchema, machineStatusSchema, programsSchema } from './machine-messages.js';
import { MachineProgramFiles, programLines } from './machine-programs.js';
import { MachineRegistry } from './machine-registry.js';
import { MachineStatuses } from './machine-statuses.js';

/** The requests of machines, and of hosts that become machines. */
@Injectable()
export class MachineRoutes {
  readonly routes: Partial<Record<string, Serve>> = {
    [`POST ${MACHINE_PATHS.join}`]: (request, response) => this.join(request, response),
    [`GET ${MACHINE_PATHS.desired}`]: (request, response, url) => this.desired(request, response, url),
    [`POST ${MACHINE_PATHS.status}`]: (request, response) => this.status(request, response),
    [`GET ${MACHINE_PATHS.programs}`]: (request, response, url) => this.sendPrograms(request, response, url),
    [`GET ${MACHINE_PATHS.authority}`]: (request, response) => this.sendAuthority(request, response),
    [`GET ${MACHINE_PATHS.script}`]: (request, response) => this.sendScript(request, response),
  };
  private readonly logger = new Logger('Gateway');
  private readonly intervalMs: number;

  constructor(
    private readonly registry: MachineRegistry,
    private readonly listener: MachineListener,
    private readonly documents: MachineDocuments,
    private readonly statuses: MachineStatuses,
    private readonly programs: MachineProgramFiles,
    private readonly files: MachineFiles,
    private readonly installation: Installation,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    this.intervalMs = heartbeatMs(config);
  }

  private async join(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.listener.admitOutsider(request);
    const body = await readMessage(request, joinSchema, { bytes: JOIN_LIMIT_BYTES });
    const { token, credential_hash, agent_version: agentVersion, machine: facts } = body;
    const credentialHash = Buffer.from(credential_hash, 'hex');
    const joined = await this.registry.join({ token, credentialHash, agentVersion, facts });
    if (!joined) throw new Refused(401, 'unauthenticated');
    const { id: machine_id, region, zone } = joined;
    this.logger.log({ machine: machine_id, hostname: facts.hostname, region, zone }, 'machine joined');
    const answer: JoinAnswer = { machine_id, installation: this.installation.name, region, zone };
    sendAnswer(response, this.intervalMs, answer);
  }

  private async desired(request: IncomingMessage, response: ServerResponse, url: URL | null): Promise<void> {
    const machine = await this.listener.enter(request, 'reads');
    const query = machineDesiredSchema.safeParse(parametersOf(url));
    if (!query.success) throw invalid();
    const { since, wait } = query.data;
    const next = await this.documents.next(machine, since, { waitMs: wait * 1000, closed: closedBy(response) });
    if (response.destroyed) return;
    if (next === 'replaced') throw new Refused(409, 'replaced');
    if (next === 'nothing_new') sendNothingNew(response);
    else sendAnswer(response, this.intervalMs, { document: next });
  }

  private async status(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const machine = await this.listener.enter(request, 'status');
    const status = await readMessage(request, machineStatusSchema, { bytes: MACHINE_STATUS_LIMIT_BYTES });
    await this.statuses.take(machine, status);
    sendAnswer(response, this.intervalMs, {});
  }

  private async sendPrograms(request: IncomingMessage, response: ServerResponse, url: URL | null): Promise<void> {
    await this.listener.enterAsReader(request);
    const query = programsSchema.safeParse(parametersOf(url));
    if (!query.success) throw invalid();
    sendText(response, 'text/plain', programLines(await this.programs.findForJoin(query.data.processor)));
  }

  private async sendAuthority(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.listener.admitOutsider(request);
    if (this.files.authority === null) throw new Refused(404, 'no_certificate_authority');
    sendText(response, 'application/x-pem-file', this.files.authority);
  }

  private async sendScript(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.listener.admitOutsider(request);
    sendText(response, 'text/x-shellscript', this.files.script);
  }
}

function sendText(response: ServerResponse, type: string, text: string): void {
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' };
  response.writeHead(200, headers).end(text);
}
