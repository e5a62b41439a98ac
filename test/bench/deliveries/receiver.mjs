// The destination in its own process: accepts every POST over TLS, and reports the number of requests since the last
// report.
import { createServer } from 'node:https';

let taken = 0;

process.on('message', ({ cert, key }) => {
  if (!cert) {
    process.send({ taken });
    taken = 0;
    return;
  }
  const server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    request.on('end', () => {
      taken += 1;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
