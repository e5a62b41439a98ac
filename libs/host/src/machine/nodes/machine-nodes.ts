import { isDeepStrictEqual } from 'node:util';
import type { JsonLog } from '../../os/json-log.js';
import type { NodeId } from '@libs/domain';
import type { MachineDocument, MachineNode, MachineNodeStatus } from '@libs/domain/machine-protocol';
import { Backoff } from '../../node/gateway/backoff.js';
import { Wakeup } from '../../os/wakeup.js';
import { bringNode, type NodeTools, type Outcome } from './node-task.js';

/** Time between two looks at a node that is as it must be. */
const LOOK_MS = 5_000;

interface NodeState {
  status: MachineNodeStatus;
  backoff: Backoff;
  /** Time of the next look, in milliseconds of the epoch. */
  dueAt: number;
  /** The running task of the node. */
  work: AbortController | null;
}

/**
 * Keeps the nodes of the machine as the document says, without a limit of time. Each node has its own task, so that a node that fails
 * does not delay another one.
 */
export class MachineNodes {
  private readonly states = new Map<NodeId, NodeState>();
  private readonly wakeup = new Wakeup();
  private readonly running = new Set<Promise<void>>();
  private document: MachineDocument | null = null;
  /** The programs that no node uses are deleted once for each document. */
  private prunedFor: MachineDocument | null = null;

  constructor(
    private readonly tools: NodeTools,
    private readonly log: JsonLog,
    private readonly onChange: () => void,
  ) {}

  /** The newest document. Every node of it is looked at at once. */
  setDesired(document: MachineDocument): void {
    this.document = document;
    const named = new Set(document.nodes.map(({ node_id }) => node_id));
    for (const [nodeId, state] of this.states)
      if (!named.has(nodeId) && state.work === null) this.states.delete(nodeId);
    for (const node of document.nodes) this.expect(node);
    for (const { node_id } of this.tools.records.all)
      if (!named.has(node_id)) this.log.warn('the document does not contain a node of this machine', { node: node_id });
    this.wakeup.wakeUp();
  }

  /** The states of the nodes in the document. */
  get statuses(): MachineNodeStatus[] {
    const nodes = this.document?.nodes ?? [];
    return nodes.flatMap(({ node_id }) => this.states.get(node_id)?.status ?? []);
  }

  /** Resolves after the signal, when no task runs. The nodes continue. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const node of this.document?.nodes ?? []) this.lookAt(node, signal);
      await this.wakeup.sleep(this.untilNextLook(), signal);
    }
    await Promise.all(this.running);
  }

  /** Ends the processes of all nodes, and keeps their data. */
  async stopAll(): Promise<void> {
    const { signal } = new AbortController();
    for (const { node_id } of this.tools.records.all)
      await this.tools.host
        .stop(node_id, signal)
        .catch((error: unknown) =>
          this.log.error('a node cannot be stopped', { node: node_id, reason: String(error) }),
        );
  }

  /** The state of another incarnation or intent says nothing about this one. */
  private expect(node: MachineNode): void {
    const held = this.states.get(node.node_id);
    const isSame = held?.status.incarnation === node.incarnation;
    const { node_id, incarnation } = node;
    const status: MachineNodeStatus = isSame ? held.status : { node_id, incarnation, state: 'pending' };
    // A start must not delay the removal of the node.
    if (!isSame || node.intent === 'absent') held?.work?.abort();
    this.states.set(node_id, { status, backoff: new Backoff(), dueAt: 0, work: held?.work ?? null });
  }

  private lookAt(node: MachineNode, signal: AbortSignal): void {
    const { document } = this;
    const state = this.states.get(node.node_id);
    if (document === null || state === undefined || state.work !== null || state.dueAt > Date.now()) return;
    // Another removal is useless: nothing of the node is left.
    if (node.intent === 'absent' && state.status.state === 'gone') return;
    state.work = new AbortController();
    const ended = AbortSignal.any([signal, state.work.signal]);
    const task = this.bring(node, document, ended).finally(() => this.running.delete(task));
    this.running.add(task);
  }

  private async bring(node: MachineNode, document: MachineDocument, signal: AbortSignal): Promise<void> {
    const isCurrent = (): boolean => this.document === document;
    const outcome = await bringNode(
      node,
      document,
      this.tools,
      (state, reason) => isCurrent() && this.note(node, { state, reason }),
      signal,
    );
    const state = this.states.get(node.node_id);
    if (state === undefined) return;
    state.work = null;
    // A document that came during the task has made the node due.
    if (isCurrent() && !signal.aborted) {
      this.note(node, outcome);
      const isDone = outcome.state === 'active' || outcome.state === 'gone';
      if (isDone) state.backoff.reset();
      state.dueAt = Date.now() + (isDone ? LOOK_MS : 250 + state.backoff.next());
    }
    if (outcome.state === 'active') await this.pruneOnce(document);
    this.wakeup.wakeUp();
  }

  private async pruneOnce(document: MachineDocument): Promise<void> {
    if (this.prunedFor === document || this.running.size > 1) return;
    this.prunedFor = document;
    const used = this.tools.records.all.flatMap(({ programs }) => programs);
    await this.tools.programs
      .prune(document.programs, used)
      .catch((error: unknown) => this.log.warn('old programs cannot be deleted', { reason: String(error) }));
  }

  private note({ node_id, incarnation }: MachineNode, { state, reason, agent_sha256 }: Outcome): void {
    const held = this.states.get(node_id);
    const status: MachineNodeStatus = {
      ...{ node_id, incarnation, state },
      ...(reason !== undefined && { reason }),
      ...(agent_sha256 !== undefined && { agent_sha256 }),
    };
    if (held === undefined || isDeepStrictEqual(held.status, status)) return;
    held.status = status;
    this.log.info('node changed', { node: node_id, incarnation, state, reason, agent: agent_sha256?.slice(0, 12) });
    this.onChange();
  }

  private untilNextLook(): number {
    const waiting = [...this.states.values()]
      .filter(({ work }) => work === null)
      .map(({ dueAt }) => dueAt - Date.now());
    return Math.max(Math.min(LOOK_MS, ...waiting.filter((ms) => ms > 0)), 10);
  }
}
