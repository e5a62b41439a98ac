import type { BrokerClient, ClientTarget } from './broker-client.js';

/** The client for a driver. Rejects with SignInRefused for wrong credentials, and with another error when no broker answers. */
export async function openBrokerClient(driver: string, target: ClientTarget): Promise<BrokerClient> {
  if (driver !== 'iggy') return (await import('./mqtt-broker-client.js')).MqttBrokerClient.open(target);
  const { IggyFrameClient, IggyHttpClient } = await import('./iggy-broker-client.js');
  return target.over === 'http' ? IggyHttpClient.open(target) : IggyFrameClient.open(target);
}
