import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from '../../control/broker-error.js';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import { ValueCipher } from './value-cipher.js';

/** In the data directory, so that a backup contains it. */
const FILE = 'encryption.json';
const CHECK = 'landlord';

interface StoredCheck {
  key_id: string;
  /** Base64 of a sealed text. */
  check: string;
}

/** A data directory and the key of its deployment. */
export interface SealedData {
  data_dir: string;
  /** Absent: the data is not encrypted. */
  encryption?: { key: string };
}

/**
 * The cipher for the values of the store. Null without encryption. Compares the data directory with the key and changes nothing
 * in a directory with data. Marks an empty directory as encrypted. Rejects with BrokerError when the key is missing, when it is
 * another key, and when the data is not encrypted.
 */
export async function openCipher({ data_dir: dataDir, encryption }: SealedData): Promise<ValueCipher | null> {
  const file = join(dataDir, FILE);
  const content = await readFileIfAny(file);
  if (!encryption) {
    if (content !== null) throw new BrokerError('the data of this node is encrypted, and the node has no key');
    return null;
  }
  const cipher = new ValueCipher(encryption.key);
  if (content === null) await mark(file, dataDir, cipher);
  else if (!opens(content, cipher)) throw new BrokerError('the data of this node is encrypted with another key');
  return cipher;
}

async function mark(file: string, dataDir: string, cipher: ValueCipher): Promise<void> {
  if ((await readdir(dataDir)).length > 0) throw new BrokerError('the data of this node is not encrypted');
  const stored: StoredCheck = { key_id: cipher.keyId, check: cipher.seal(Buffer.from(CHECK)).toString('base64') };
  await writePrivateFile(file, JSON.stringify(stored));
}

function opens(content: string, cipher: ValueCipher): boolean {
  try {
    const { key_id, check } = JSON.parse(content) as StoredCheck;
    return key_id === cipher.keyId && cipher.open(Buffer.from(check, 'base64')).toString() === CHECK;
  } catch {
    return false;
  }
}
