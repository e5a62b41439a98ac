import { choice, count, duration, size, text, toggle } from '../setting-kinds.js';
import {
  address,
  longText,
  names,
  oneOf,
  required,
  requiredWhen,
  retries,
  secret,
  word,
  type ConnectorSettings,
} from './connector-setting.js';

export const ICEBERG_SINK: ConnectorSettings = {
  tables: required(names('Tables that rows are added to.')),
  catalog_type: required(oneOf(['rest'], 'Kind of the catalog.')),
  warehouse: required(word('Warehouse that the catalog keeps.')),
  uri: required(address('Where the catalog is reached.')),
  dynamic_routing: required({ ...toggle(false, 'Whether a member of the message names its table.'), default: null }),
  dynamic_route_field: required(word('That member.')),
  store_url: required(word('Where the files are kept.')),
  store_access_key_id: secret(word('Id of the key to the files.')),
  store_secret_access_key: secret(word('The key to the files.')),
  store_region: required(word('Region of the files.')),
  store_class: required(oneOf(['s3', 'fs', 'gcs', 'azdls', 'oss'], 'Kind of the store.')),
};

export const DELTA_SINK: ConnectorSettings = {
  table_uri: required(word('Where the table is kept.')),
  storage_backend_type: oneOf(['s3', 'azure', 'gcs'], 'Kind of the store. Default: a directory.'),
  aws_s3_access_key: secret(word('Id of the key to S3.')),
  aws_s3_secret_key: secret(word('The key to S3.')),
  aws_s3_region: word('Region of the bucket.'),
  aws_s3_endpoint_url: word('Where S3 is reached, if it is not the one of AWS.'),
  aws_s3_allow_http: toggle(false, 'Whether S3 may be reached without encryption.'),
  azure_storage_account_name: word('Storage account at Azure.'),
  azure_storage_account_key: secret(word('Key of that account.')),
  azure_storage_sas_token: secret(word('Shared access signature, in place of the key.')),
  azure_container_name: word('Container of that account.'),
  gcs_service_account_key: secret(longText('Key of a service account at Google Cloud, as JSON.')),
};

export const S3_SINK: ConnectorSettings = {
  bucket: required(word('Bucket that files are put into.')),
  region: required(word('Region of the bucket.')),
  prefix: word('What the names of files begin with.'),
  endpoint: word('Where S3 is reached, if it is not the one of AWS.'),
  access_key_id: secret(word('Id of the key.')),
  secret_access_key: secret(word('The key.')),
  path_template: text('{stream}/{topic}/{date}/{hour}', 'How files are named.'),
  file_rotation: choice('size', ['size', 'messages'], 'What ends a file.'),
  max_file_size: size('8MiB', 'Size that ends a file.', { min: '1 KiB' }),
  max_messages_per_file: requiredWhen('file_rotation', 'messages', count(null, 'Messages of a file.', { min: 1 })),
  output_format: choice('json_lines', ['json_lines', 'json_array', 'raw'], 'Format of the files.'),
  include_metadata: toggle(true, 'Whether stream, topic and offset are stored too.'),
  include_headers: toggle(false, 'Whether headers are stored too.'),
  max_attempts: retries(3),
  retry_delay: duration('1s', 'Pause before a repetition.'),
  path_style: { ...toggle(false, 'Whether the bucket stands in the path. Default: by the address.'), default: null },
};
