/** What the driver reads of the resources of Compute Engine. Links are whole URLs, numbers of 64 bits are texts. */
export interface GcpResource {
  name: string;
  /** Google's number for the resource: another one after a deletion and a creation with the same name. */
  id?: string;
  selfLink?: string;
  description?: string;
  creationTimestamp?: string;
}

export interface Operation {
  name: string;
  status: 'PENDING' | 'RUNNING' | 'DONE';
  targetId?: string;
  error?: { errors?: { code?: string; message?: string }[] };
  httpErrorStatusCode?: number;
}

export interface GcpNetwork extends GcpResource {
  autoCreateSubnetworks?: boolean;
  peerings?: GcpPeering[];
}

export interface GcpPeering {
  name: string;
  network: string;
  state?: 'ACTIVE' | 'INACTIVE';
  stateDetails?: string;
}

export interface GcpSubnet extends GcpResource {
  network: string;
  ipCidrRange?: string;
  region?: string;
}

export interface GcpInstance extends GcpResource {
  status?: string;
  statusMessage?: string;
  machineType?: string;
  zone?: string;
  disks?: { source?: string; deviceName?: string; boot?: boolean }[];
  networkInterfaces?: {
    name?: string;
    networkIP?: string;
    accessConfigs?: { name?: string; natIP?: string }[];
  }[];
}

export interface GcpDisk extends GcpResource {
  status?: string;
  sizeGb?: string;
  users?: string[];
  zone?: string;
}

export interface GcpSnapshot extends GcpResource {
  status?: string;
  sourceDisk?: string;
}

export interface GcpAddress extends GcpResource {
  address?: string;
  status?: string;
}

export interface GcpBackendService extends GcpResource {
  fingerprint?: string;
  backends?: { group?: string }[];
}

export interface GcpHealthCheck extends GcpResource {
  tcpHealthCheck?: { port?: number };
}

export interface GcpServiceAttachment extends GcpResource {
  fingerprint?: string;
  connectionPreference?: string;
  consumerAcceptLists?: { projectIdOrNum?: string; connectionLimit?: number }[];
  enableProxyProtocol?: boolean;
  connectedEndpoints?: { endpoint?: string; status?: string; pscConnectionId?: string; consumerNetwork?: string }[];
}

/** A page of a list. Lists of all zones have one page for each zone inside. */
export interface GcpPage<T> {
  items?: T[];
  nextPageToken?: string;
}

export interface GcpZonedPage {
  items?: Record<string, Record<string, unknown>>;
  nextPageToken?: string;
}
