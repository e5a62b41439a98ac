import { AWS_FORMATS, GCP_FORMATS } from '@libs/domain';
import { parseSettings, portSetting, secondsSetting, SHARED_SETTINGS } from '@libs/domain/settings';
import { z } from 'zod';

const schema = z.object({
  ...SHARED_SETTINGS,
  LANDLORD_ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  MAIN_API_PORT: portSetting.default(3000),
  MAIN_API_HOST: z.string().default('127.0.0.1'),
  /** Who agrees that a tenant pays by invoice: an operator, tenant by tenant, or each tenant for itself. */
  INVOICE_AGREEMENTS: z.enum(['operator', 'self_service']).default('operator'),
  /** Free deployments of all tenants that a user owns, together. */
  FREE_DEPLOYMENTS_PER_USER: z.coerce.number().int().min(0).max(1_000_000).default(2),
  UPGRADE_COOLDOWN_SECONDS: secondsSetting.default(900),
  /** How long after its end a month waits for what is metered late, before it is invoiced. */
  BILLING_CLOSES_AFTER_HOURS: z.coerce.number().int().min(3).max(240).default(24),
  INVOICE_DUE_DAYS: z.coerce.number().int().min(0).max(365).default(30),
  /** Who asks for the money: name and lines of the address, with | between them. */
  INVOICE_ISSUER: z.string().min(1).max(500).default('Landlord'),
  INVOICE_ISSUER_TAX_ID: z.string().max(50).optional(),
  /** How invoices are paid that no card is charged for; lines with | between them. */
  INVOICE_PAYMENT_INSTRUCTIONS: z.string().max(500).optional(),
  /** Requests a minute of one address that have a password hashed (sign-up, sign-in, …), or `off`; unset: 30. */
  PASSWORD_RATE_LIMIT: z
    .union([z.literal('off').transform(() => null), z.coerce.number().int().min(1).max(1_000_000)])
    .optional(),
  /** How long somebody stays signed in. */
  SESSION_HOURS: z.coerce.number().int().min(1).max(720).default(12),
  /** smtp://user:password@host:587 or smtps://…; unset: mails become files in the data directory. */
  SMTP_URL: z
    .string()
    .refine((text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol), 'must look like smtp://host:587')
    .optional(),
  /** AWS account of whoever runs this installation: the one that customers' roles trust. */
  BYOC_AWS_ACCOUNT_ID: z
    .string()
    .regex(AWS_FORMATS.account_id.pattern, AWS_FORMATS.account_id.reason)
    .default('000000000000'),
  /** Service account of whoever runs this installation: the one that may act as customers' service accounts. */
  BYOC_GCP_SERVICE_ACCOUNT: z
    .string()
    .regex(GCP_FORMATS.service_account_email.pattern, GCP_FORMATS.service_account_email.reason)
    .default('landlord@landlord-local.iam.gserviceaccount.com'),
  /** The sender of all mails; unset: no-reply at BASE_DOMAIN. */
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'must look like Landlord <no-reply@cloud.example.com>',
    )
    .optional(),
});

/** Settings of the main API, read once at boot. */
export type MainApiConfig = z.output<typeof schema>;

/** @throws ConfigInvalid naming every problem. */
export const readConfig = (): MainApiConfig => parseSettings(schema, process.env);

/** Token of the settings. */
export const MAIN_API_CONFIG = Symbol('main-api.config');
