// The lower bound for the cost of deliveries: for each channel a loop that signs its bodies and posts them one after
// the other with undici.
import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';

const agent = new Agent({ connections: 100, pipelining: 1 });

process.on('message', async ({ channels }) => {
  const begun = performance.now();
  await Promise.all(channels.map(deliver));
  process.send({ ms: performance.now() - begun });
});

async function deliver({ url, secret, bodies }) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  for (const { id, body } of bodies) {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Landlord',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`the receiver answers ${answer.statusCode}`);
  }
}
