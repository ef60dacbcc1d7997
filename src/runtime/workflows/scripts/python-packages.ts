/** Modules whose package has another name on the index (the ones that steps import most). */
const names: Readonly<Record<string, string>> = {
  bs4: 'beautifulsoup4',
  cv2: 'opencv-python-headless',
  dateutil: 'python-dateutil',
  docx: 'python-docx',
  dotenv: 'python-dotenv',
  fitz: 'PyMuPDF',
  github: 'PyGithub',
  google: 'google-api-python-client',
  googleapiclient: 'google-api-python-client',
  jose: 'python-jose',
  jwt: 'PyJWT',
  magic: 'python-magic',
  MySQLdb: 'mysqlclient',
  OpenSSL: 'pyOpenSSL',
  PIL: 'Pillow',
  pptx: 'python-pptx',
  psycopg2: 'psycopg2-binary',
  serial: 'pyserial',
  skimage: 'scikit-image',
  sklearn: 'scikit-learn',
  slack: 'slackclient',
  slack_sdk: 'slack-sdk',
  slugify: 'python-slugify',
  telegram: 'python-telegram-bot',
  yaml: 'PyYAML',
  Crypto: 'pycryptodome',
};

/** The package of a module; of its own name unless it is known to have another. */
export function packageOf(module: string): string {
  return Object.hasOwn(names, module) ? (names[module] ?? module) : module;
}
