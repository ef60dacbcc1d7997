/** Modules whose package has another name on the index (the ones that steps import most). */
const names: Readonly<Record<string, string>> = {
  bs4: 'beautifulsoup4',
  Crypto: 'pycryptodome',
  cv2: 'opencv-python-headless',
  dateutil: 'python-dateutil',
  docx: 'python-docx',
  dotenv: 'python-dotenv',
  fitz: 'PyMuPDF',
  github: 'PyGithub',
  google: 'google-api-python-client',
  'google.ai': 'google-ai-generativelanguage',
  'google.auth': 'google-auth',
  'google.genai': 'google-genai',
  'google.generativeai': 'google-generativeai',
  'google.oauth2': 'google-auth',
  'google.protobuf': 'protobuf',
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
};

/**
 * The package of a module; of the name of its root unless it is known to have another.
 * @param module with its dots
 */
export function packageOf(module: string): string {
  const [root = module, below, third] = module.split('.');
  if (root === 'google' && below === 'cloud' && third !== undefined) return `google-cloud-${third}`;
  for (const name of [`${root}.${below}`, root]) {
    if (Object.hasOwn(names, name)) return names[name] ?? name;
  }
  return root;
}
