import { resolve } from 'node:path';
import { readConfig } from './config.js';

describe('the configuration of the launcher', () => {
  it('has defaults for everything: a local data directory and the ports 3000, 4000 and 4001', () => {
    const config = readConfig({});

    expect(config).toMatchObject({
      dataDir: resolve('.landlord'),
      databaseUrl: null,
      mainApi: { port: 3000, url: 'http://localhost:3000' },
      supervisor: { port: 4000, url: 'http://localhost:4000' },
      gatewayPort: 4001,
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig({ DATABASE_URL: '', MAIN_API_PORT: '' })).toMatchObject({
      databaseUrl: null,
      mainApi: { port: 3000 },
    });
  });

  it('derives the gateway port from the Supervisor port unless it is set', () => {
    expect(readConfig({ SUPERVISOR_PORT: '5000' }).gatewayPort).toBe(5001);
    expect(readConfig({ SUPERVISOR_PORT: '5000', GATEWAY_PORT: '6000' }).gatewayPort).toBe(6000);
  });

  it.each([
    ['MAIN_API_PORT', '0'],
    ['MAIN_API_PORT', '4000'],
    ['SUPERVISOR_PORT', '65536'],
    ['SUPERVISOR_PORT', '1e3'],
    ['GATEWAY_PORT', '3000'],
    ['LANDLORD_SECRET_KEYS', 'k1:short'],
    ['BOOTSTRAP_API_KEY', 'secret'],
    ['DATABASE_URL', 'localhost'],
    ['LANDLORD_PUBLIC_URL', 'ftp://a'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(/_(PORT|KEYS|KEY|URL|LEVEL): /);
  });

  it('passes on all variables except secrets', () => {
    const { inherited } = readConfig({
      SMTP_URL: 'smtp://a',
      DATABASE_URL: 'postgres://u:p@h/d',
      BOOTSTRAP_API_KEY: 'ld_a_b_c',
    });

    expect(inherited).toEqual({ SMTP_URL: 'smtp://a' });
  });
});
