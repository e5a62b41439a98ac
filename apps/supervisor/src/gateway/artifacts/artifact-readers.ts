import { Injectable } from '@nestjs/common';
import { AgentRegistry } from '../agent-registry.js';
import { MachineRegistry } from '../machines/machine-registry.js';

/** The holder of a credential, such as `node 5`. The limits count by this text. */
export type ArtifactReader = string;

/**
 * Decides who may read artifacts. A node needs them before its registration and a machine before it joins, so their one-time tokens
 * count, too. Each kind of credential is one entry of the list.
 */
@Injectable()
export class ArtifactReaders {
  private readonly kinds: ((authorization: string | undefined) => Promise<ArtifactReader | null>)[] = [
    async (authorization) => named('node', (await this.registry.authenticate(authorization))?.nodeId),
    async (authorization) => named('node', await this.registry.expected(authorization)),
    async (authorization) => named('machine', await this.machines.authenticate(authorization)),
    async (authorization) => named('join', await this.machines.expected(authorization)),
  ];

  constructor(
    private readonly registry: AgentRegistry,
    private readonly machines: MachineRegistry,
  ) {}

  /** The holder of a credential that is in memory, without a query. */
  remembered(authorization: string | undefined): ArtifactReader | null {
    return (
      named('node', this.registry.remembered(authorization)?.nodeId) ??
      named('machine', this.machines.remembered(authorization))
    );
  }

  /** The holder of the credential in the header, or null. */
  async find(authorization: string | undefined): Promise<ArtifactReader | null> {
    for (const kind of this.kinds) {
      const reader = await kind(authorization);
      if (reader !== null) return reader;
    }
    return null;
  }
}

const named = (kind: string, id: number | null | undefined): ArtifactReader | null =>
  id === null || id === undefined ? null : `${kind} ${id}`;
