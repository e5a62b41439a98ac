import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { holderOf } from './port-holder.js';

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('The process that has a port', () => {
  onLinux('is named by its pid and its program, without its arguments', async () => {
    const script = `const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))`;
    const child = spawn(process.execPath, ['-e', script, '--', '--password=secret'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await once(child.stdout, 'data')) as [Buffer];

    const holder = holderOf(Number(port));
    child.kill('SIGKILL');
    await once(child, 'close');

    expect(holder).toBe(`process ${child.pid} (node)`);
    expect(holderOf(Number(port))).toBeNull();
  });
});
