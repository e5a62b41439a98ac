import type { BrokerDriver } from '@libs/domain';

/** What clients of a broker can rely on. */
export interface BrokerProtocols {
  /** Versions of MQTT. Empty: the broker does not speak MQTT. */
  mqtt: string[];
  /** Levels of QoS that it takes from publishers. */
  qos: number[];
  /** Whether it serves filters that begin with `$share/`. Otherwise it answers 0x80 for them. */
  shared_subscriptions: boolean;
  /** Text that no topic of a publish may have or begin with. */
  refused_topics: { contains: string[]; begins_with: string[] };
  /** The release of Apache Iggy. Null: the broker does not speak its protocol. */
  iggy: string | null;
}

const NONE: Omit<BrokerProtocols, 'iggy'> = {
  mqtt: [],
  qos: [],
  shared_subscriptions: false,
  refused_topics: { contains: [], begins_with: [] },
};

/** Exact for the broker of a node, by its driver and its release. The specs of the brokers prove each word. */
export function brokerProtocols(driver: BrokerDriver, release: string): BrokerProtocols {
  if (driver === 'iggy') return { ...NONE, iggy: release };
  if (driver === 'nats')
    return {
      ...{ ...NONE, mqtt: ['3.1.1'], qos: [0, 1], iggy: null },
      refused_topics: { contains: ['.', ' '], begins_with: ['$SYS/', '$JS/', '$MQTT/'] },
    };
  return {
    ...{ ...NONE, mqtt: ['3.1', '3.1.1'], qos: [0, 1, 2], iggy: null },
    refused_topics: { contains: [], begins_with: ['$SYS/'] },
  };
}
