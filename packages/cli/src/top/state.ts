import type { Main, Supervisor } from '@landlord/sdk';

export const PANES = ['deployments', 'operations', 'nodes', 'logs'] as const;
export type Pane = (typeof PANES)[number];

/** A node with what it measured last. */
export interface NodeLine {
  id: number;
  name: string;
  status: string;
  reason: string | null;
  cpuPercent?: number;
  memoryBytes?: number;
  diskBytes?: number;
  clients?: number;
  /** Per second, since the measurement before. */
  messages?: number;
  bytes?: number;
  /** Percent of the CPU, the newest last. */
  history: readonly number[];
}

/** Everything that the screen shows. */
export class State {
  deployments: readonly Main.DeploymentItemView[] = [];
  operations: readonly Main.OperationView[] = [];
  nodes: readonly NodeLine[] = [];
  logs: readonly Supervisor.LogLineView[] = [];
  /** What does not answer, by the pane that lacks its data. */
  problems: Partial<Record<Pane, string>> = {};
  focus: Pane = 'deployments';
  /** Lines that the list is moved up by. For logs: lines that newer lines hide. */
  scroll: Record<Pane, number> = { deployments: 0, operations: 0, nodes: 0, logs: 0 };
  selectedId: number | null = null;

  constructor(readonly tenant: string) {}

  get selectedAt(): number {
    return this.deployments.findIndex(({ id }) => id === this.selectedId);
  }

  get selected(): Main.DeploymentItemView | null {
    return this.deployments[this.selectedAt] ?? null;
  }

  /** The deployment that was selected can be deleted now. Then the one in its place is selected. */
  takeDeployments(deployments: readonly Main.DeploymentItemView[]): void {
    const before = Math.max(this.selectedAt, 0);
    this.deployments = deployments;
    if (this.selectedAt < 0) this.select(Math.min(before, deployments.length - 1));
  }

  /** Selects the deployment in this line, or the nearest one. */
  select(at: number): void {
    const id = this.deployments[Math.min(Math.max(at, 0), this.deployments.length - 1)]?.id ?? null;
    if (id === this.selectedId) return;
    this.selectedId = id;
    this.nodes = [];
    this.logs = [];
    this.scroll = { ...this.scroll, nodes: 0, logs: 0 };
    delete this.problems.nodes;
    delete this.problems.logs;
  }

  linesOf(pane: Pane): number {
    return this[pane].length;
  }
}
