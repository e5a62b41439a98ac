import {
  loadablePlugins,
  type BrokerBinaries,
  requireBrokerPrograms,
  type BrokerPrograms,
  type BrokerProgramSettings,
} from '@libs/host/programs';
import { CLUSTER_KINDS, type ClusterKind } from '@libs/catalog';
import { BROKER_RELEASES, type BrokerDriver } from '@libs/domain';

/** The drivers of `auto`, the preferred one first. A node that is alone has nothing to replicate. */
const PREFERRED: Record<ClusterKind, BrokerDriver[]> = {
  cluster: ['nats', 'embedded'],
  standalone: ['iggy', 'embedded'],
};

/** A broker that nodes of this machine can run. */
export interface RunnableBroker {
  driver: BrokerDriver;
  /** Stored in new nodes and their configurations. Null: no new deployment gets this broker. */
  release: string | null;
  /** The kinds of new deployments that get this broker. */
  clusters: ClusterKind[];
}

/** The settings that decide what nodes of this machine run. */
export type LocalBrokerSettings = BrokerProgramSettings & { ALLOW_PRIVATE_DESTINATIONS: boolean };

/** The brokers that nodes of this machine can run, which of them a new deployment gets, and the paths of their programs. */
export class LocalBroker {
  private constructor(
    readonly brokers: readonly RunnableBroker[],
    /** Existing nodes need the program of their driver, also when new nodes use another driver. */
    readonly binaries: BrokerBinaries,
    /** The libraries of iggy-connectors that nodes may load, as `type:key`. */
    readonly connectorLibraries: readonly string[],
  ) {}

  /**
   * Finds the programs, and gives each kind of deployment the driver of the settings, else the first available one.
   * @throws StartRefused when a program that the settings need is missing or cannot be used
   */
  static async find(settings: LocalBrokerSettings): Promise<LocalBroker> {
    const programs = await requireBrokerPrograms(settings);
    const releases = releasesOf(programs);
    const driverOf = (cluster: ClusterKind): BrokerDriver | undefined =>
      settings.LOCAL_BROKER === 'auto'
        ? PREFERRED[cluster].find((driver) => releases.has(driver))
        : settings.LOCAL_BROKER;
    const brokers = [...releases].map(([driver, release]) => {
      const clusters = CLUSTER_KINDS.filter((cluster) => driverOf(cluster) === driver);
      return { driver, release, clusters };
    });
    const connectors = programs.iggy?.connectors ?? null;
    const libraries = connectors ? await loadablePlugins(connectors, settings.ALLOW_PRIVATE_DESTINATIONS) : [];
    return new LocalBroker(brokers, binariesOf(programs, settings), libraries);
  }

  /** The broker of new deployments of this kind. */
  of(cluster: ClusterKind): { driver: BrokerDriver; release: string } {
    const { driver, release } = this.brokers.find(({ clusters }) => clusters.includes(cluster)) ?? EMBEDDED;
    return { driver, release: release ?? '' };
  }
}

const EMBEDDED = { driver: 'embedded', release: BROKER_RELEASES.embedded } as const;

const releasesOf = ({ nats, iggy }: BrokerPrograms): Map<BrokerDriver, string | null> =>
  new Map<BrokerDriver, string | null>([
    [EMBEDDED.driver, EMBEDDED.release],
    ...(nats ? [['nats', nats.release] as const] : []),
    ...(iggy ? [['iggy', iggy.release] as const] : []),
  ]);

/** Unproven releases are stated only where they are allowed, so that the files of existing nodes do not change. */
const binariesOf = (
  { nats, iggy }: BrokerPrograms,
  { IGGY_UNPROVEN_RELEASES: isAllowed }: BrokerProgramSettings,
): BrokerBinaries => ({
  ...(nats && { nats: nats.path }),
  ...(iggy && {
    iggy: iggy.path,
    ...(iggy.connectors !== null && { iggy_connectors: iggy.connectors }),
    ...(iggy.libraries !== null && { iggy_libraries: iggy.libraries }),
    ...(isAllowed && { iggy_unproven_releases: true }),
  }),
});
