'use strict';
/**
 * An authentication provider as VS Code's GitHub and Microsoft ones are, in an extension of its own
 * beside Weir. It exports what tests ask of it.
 */
const { randomBytes } = require('node:crypto');
const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  const changed = new vscode.EventEmitter();
  /** @type {vscode.AuthenticationSession[]} */
  let sessions = [];
  const newToken = () => `session-${randomBytes(16).toString('hex')}`;
  const fits = (scopes) => (session) =>
    scopes === undefined || scopes.every((scope) => session.scopes.includes(scope));
  const provider = {
    onDidChangeSessions: changed.event,
    getSessions: async (scopes) => sessions.filter(fits(scopes)),
    async createSession(scopes) {
      const account = { id: 'ann', label: 'ann@acme.test' };
      const session = { id: newToken(), accessToken: newToken(), account, scopes };
      sessions.push(session);
      changed.fire({ added: [session], removed: [], changed: [] });
      return session;
    },
    async removeSession(id) {
      const removed = sessions.filter((session) => session.id === id);
      sessions = sessions.filter((session) => session.id !== id);
      changed.fire({ added: [], removed, changed: [] });
    },
  };
  const options = { supportsMultipleAccounts: false };
  subscriptions.push(
    vscode.authentication.registerAuthenticationProvider(
      'weir-test-sessions',
      'Acme ID',
      provider,
      options,
    ),
  );
  return {
    tokens: () => sessions.map(({ accessToken }) => accessToken),
    /** It renews the tokens of its sessions by itself. */
    renew() {
      sessions = sessions.map((session) => ({ ...session, accessToken: newToken() }));
      changed.fire({ added: [], removed: [], changed: sessions });
    },
    /** The user signs out. */
    signOut: async () => {
      for (const { id } of sessions) await provider.removeSession(id);
    },
  };
};
