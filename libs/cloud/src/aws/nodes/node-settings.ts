import type { JoinFiles, NodeToPlace, PlacedNode, Processor } from '@libs/domain';

/** The machine that an instance makes, as the gateway sees it. */
export interface ReservedMachine {
  /** Of the node that the machine was made for. */
  incarnation: number;
  /** `expected`: the machine has not joined. `removed`: an operator has removed the machine. */
  machine: 'expected' | 'joined' | 'removed';
  /** Null unless the machine has joined. */
  node: PlacedNode | null;
}

/** The machines that join for one node each. The driver holds the node in all calls that write. */
export interface ReservedMachines {
  /**
   * Expects a machine for the node, and returns the token with which the machine joins: `<id>.<secret>`. The token stays the same until
   * the machine has joined. Another incarnation or zone gets another token: the earlier machine is removed, and the earlier token is
   * invalid.
   */
  offer(node: NodeToPlace): Promise<string>;
  /** Gives the node its new size and ports, and lets an expected machine join for 30 more minutes. */
  update(node: NodeToPlace): Promise<void>;
  /** By the name of the node. A node without a reservation is missing. */
  find(names: readonly string[]): Promise<Map<string, ReservedMachine>>;
  /** The machine is gone for certain. No machine joins for the node after that. */
  release(name: string): Promise<void>;
}

/** What instances are made of. */
export interface AwsNodeSettings {
  machines: ReservedMachines;
  /** Null without the certificate of an authority: an instance could not trust the gateway. */
  join: JoinFiles | null;
  /** The id of an image, or `<owner>/<name pattern>` with `{processor}` for `x86_64` or `arm64`: the newest one is used. */
  image: string;
  /** The processors that the installation has programs for. */
  processors: readonly Processor[];
  /** The instance types of a size and a kind of storage, the best one first. */
  typesOf: (variant: string, storage: string) => readonly string[];
}

/** The families of AWS's own processors have a `g` after their generation: `m8g`, `c7gd`, `t4g`. */
export const processorOf = (instanceType: string): Processor =>
  /^[a-z]+\d+[a-z]*g[a-z]*\./.test(instanceType) ? 'arm64' : 'x64';

/** Whether the data of a node is on the disks of its machine, and ends with it. */
export const isLocal = (storage: string): boolean => storage === 'local_ssd';
