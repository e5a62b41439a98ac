import { ConnectorFault } from '../../delivery/connector-fault.js';

/**
 * Options that a connection string may have. All others are refused: files of the node (tlsCAFile and others), ambient
 * credentials (MONGODB-AWS, MONGODB-OIDC, GSSAPI), proxies, and options without a use for a sink.
 */
const OPTIONS = [
  ...[
    'replicaset',
    'authsource',
    'authmechanism',
    'tls',
    'ssl',
    'tlsallowinvalidcertificates',
    'tlsallowinvalidhostnames',
  ],
  ...['retrywrites', 'w', 'wtimeoutms', 'journal', 'readpreference', 'appname', 'directconnection', 'loadbalanced'],
  ...[
    'connecttimeoutms',
    'serverselectiontimeoutms',
    'sockettimeoutms',
    'maxpoolsize',
    'srvservicename',
    'srvmaxhosts',
  ],
];
const MECHANISMS = ['DEFAULT', 'SCRAM-SHA-1', 'SCRAM-SHA-256'];

/** Checks a connection string, and returns it. Hosts that it leads to are checked when they are dialled. @throws ConnectorFault */
export function mongodbAddress(text: string): string {
  const [, place = '', query = ''] = /^mongodb(?:\+srv)?:\/\/([^/?]+)(?:\/[^?]*)?(?:\?(.*))?$/.exec(text) ?? [];
  const hosts = place.slice(place.lastIndexOf('@') + 1).split(',');
  if (place === '') throw fault('must be an address such as mongodb://user:password@db.example.com/');
  if (!hosts.every((host) => /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(host)))
    throw fault('must contain hosts only. Unix sockets are not supported');
  for (const [name, value] of new URLSearchParams(query)) {
    if (!OPTIONS.includes(name.toLowerCase()))
      throw fault(`has the option ${name.slice(0, 60)}, which is not supported`);
    if (name.toLowerCase() === 'authmechanism' && !MECHANISMS.includes(value))
      throw fault(`has an authMechanism that is not supported. Supported are ${MECHANISMS.join(', ')}`);
  }
  return text;
}

const fault = (reason: string): ConnectorFault => new ConnectorFault(`plugin_config.connection_uri ${reason}`);
