import { OPERATOR_ACCOUNT_SETTINGS } from '@libs/domain/operator-accounts';
import { API_CONNECTION_SETTINGS } from '@libs/domain/connection-settings';
import { catalogProblems } from '@libs/catalog';
import {
  ConfigInvalid,
  flagSetting,
  parseSettings,
  portSetting,
  rateSetting,
  secondsSetting,
  settingProblems,
  SHARED_SETTINGS,
  type SettingProblem,
} from '@libs/domain/settings';
import type { Listener } from '@libs/domain/starts';
import { z } from 'zod';

/** The settings of the main API. docs/configuration.md is generated from the descriptions. */
export const MAIN_API_SETTINGS = z.object({
  ...SHARED_SETTINGS,
  ...API_CONNECTION_SETTINGS,
  LANDLORD_ROLE: z
    .enum(['api', 'worker', 'all'])
    .default('all')
    .describe(
      'The part of the app that this process runs. `api` serves HTTP. `worker` runs background work. `all` runs every part. `gateway` exists in the Supervisor only.',
    ),
  MAIN_API_PORT: portSetting.default(3000).describe('The port of the main API.'),
  MAIN_API_HOST: z.string().default('127.0.0.1').describe('The address that the main API listens on.'),
  MAIN_API_ON_LOOPBACK_OF_HOST: flagSetting
    .default(false)
    .describe(
      'Whether this process runs in a container whose port of the main API is published only on a loopback address of the host. Then a browser on the host can open the link of the first sign-in.',
    ),
  INVOICE_AGREEMENTS: z
    .enum(['operator', 'self_service'])
    .default('operator')
    .describe(
      'Who allows a tenant to pay by invoice. `operator`: an operator allows each tenant. `self_service`: each tenant allows itself.',
    ),
  FREE_DEPLOYMENTS_PER_USER: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(2)
    .describe('The maximum number of Free deployments in all tenants that one user owns.'),
  UPGRADE_COOLDOWN_SECONDS: secondsSetting
    .default(900)
    .describe('The minimum number of seconds between two hardware upgrades of one deployment.'),
  BILLING_CLOSES_AFTER_HOURS: z.coerce
    .number()
    .int()
    .min(3)
    .max(240)
    .default(24)
    .describe(
      'The number of hours between the end of a month (UTC) and the final invoices of that month. Usage that is metered later is on the next invoice.',
    ),
  INVOICE_DUE_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(365)
    .default(30)
    .describe('The number of days between the date of an invoice and its due date.'),
  INVOICE_ISSUER: z
    .string()
    .min(1)
    .max(500)
    .default('Landlord')
    .describe(
      'The name and the address of the issuer on invoices. The character `|` separates lines. The first line is the name.',
    ),
  INVOICE_ISSUER_TAX_ID: z.string().max(50).optional().describe('The tax number of the issuer on invoices.'),
  INVOICE_PAYMENT_INSTRUCTIONS: z
    .string()
    .max(500)
    .optional()
    .describe('How a tenant pays an invoice that no card pays. The character `|` separates lines.'),
  PASSWORD_RATE_LIMIT: rateSetting
    .optional()
    .describe(
      'The maximum number of requests in one minute that check or set a password. It counts each IPv4 address and each IPv6 /64 network, over all processes. `off` means no limit. Unset: 30, or no limit if `RATE_LIMIT` is `off`.',
    ),
  SESSION_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(720)
    .default(12)
    .describe('The number of hours until a session of a signed-in user ends.'),
  SMTP_URL: z
    .string()
    .refine((text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol), 'must look like smtp://host:587')
    .optional()
    .describe(
      'The mail server: `smtp://user:password@host:587` or `smtps://…`. Unset: mails are `.eml` files in `mail/` of the data directory.',
    ),
  ...OPERATOR_ACCOUNT_SETTINGS,
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'must look like Landlord <no-reply@cloud.example.com>',
    )
    .optional()
    .describe('The sender of all mails. Unset: `Landlord <no-reply@BASE_DOMAIN>`.'),
});

/** Settings of the main API, read once at the start. */
export type MainApiConfig = z.output<typeof MAIN_API_SETTINGS>;

/** @throws ConfigInvalid naming every problem. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): MainApiConfig {
  const problems = findProblems(environment);
  if (problems.length > 0) throw new ConfigInvalid(problems);
  return parseSettings(MAIN_API_SETTINGS, environment);
}

/** Every problem of these settings. The launcher asks both apps before it starts one. */
export function findProblems(environment: NodeJS.ProcessEnv): SettingProblem[] {
  return [...settingProblems(MAIN_API_SETTINGS, environment), ...catalogProblems(environment['CATALOG_FILE'])];
}

export const apiListener = (config: MainApiConfig): Listener => ({
  port: config.MAIN_API_PORT,
  host: config.MAIN_API_HOST,
  user: 'the main API',
  variable: 'MAIN_API_PORT',
  hostVariable: 'MAIN_API_HOST',
});

/** Injection token of the settings. */
export const MAIN_API_CONFIG = Symbol('main-api.config');
