// A bare server that accepts connections, reads what they send, and never answers: with node:tls when the parent sends a
// certificate, else with node:net. Answers {port}.
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

process.once('message', (certificate) => {
  const park = (socket) => {
    socket.on('data', () => undefined);
    socket.on('error', () => undefined);
  };
  const server = certificate ? createTlsServer(certificate, park) : createServer(park);
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
process.on('disconnect', () => process.exit(0));
