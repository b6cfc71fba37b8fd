import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** The keys that the processes are configured with, newest last. */
export class Keys {
  private readonly jwtSecrets = [randomBytes(36).toString('base64')];
  private readonly jwtPrivateKeys = [privateKey()];
  private readonly encryptionKeys = [randomBytes(32).toString('base64')];

  /**
   * The stages of docs/operate/key-rotation.md, each the settings of a rollout: every process accepts the new keys;
   * uses them; no longer accepts the old ones.
   */
  rotate(): Record<'accepted' | 'used' | 'only', Record<string, string>> {
    this.jwtSecrets.push(randomBytes(36).toString('base64'));
    this.jwtPrivateKeys.push(privateKey());
    this.encryptionKeys.push(randomBytes(32).toString('base64'));
    return {
      accepted: this.settings((keys) => keys.slice(-2)),
      used: this.settings((keys) => keys.slice(-2).reverse()),
      only: this.settings((keys) => keys.slice(-1)),
    };
  }

  current(): Record<string, string> {
    return this.settings((keys) => keys.slice(-1));
  }

  private settings(choose: (keys: readonly string[]) => string[]): Record<string, string> {
    return {
      JWT_SECRET: choose(this.jwtSecrets).join(','),
      JWT_PRIVATE_KEY: choose(this.jwtPrivateKeys).join(''),
      ENCRYPTION_KEY: choose(this.encryptionKeys).join(','),
    };
  }
}

const privateKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
