/** Modules whose package has another name on the index (the ones that steps import most). */
const names: Readonly<Record<string, string>> = {
  apiclient: 'google-api-python-client',
  attr: 'attrs',
  barcode: 'python-barcode',
  binance: 'python-binance',
  bs4: 'beautifulsoup4',
  bson: 'pymongo',
  camelot: 'camelot-py',
  Crypto: 'pycryptodome',
  Cryptodome: 'pycryptodomex',
  cv2: 'opencv-python-headless',
  dateutil: 'python-dateutil',
  decouple: 'python-decouple',
  discord: 'discord.py',
  dns: 'dnspython',
  docx: 'python-docx',
  dotenv: 'python-dotenv',
  engineio: 'python-engineio',
  environ: 'django-environ',
  facebook: 'facebook-sdk',
  faiss: 'faiss-cpu',
  ffmpeg: 'ffmpeg-python',
  fitz: 'PyMuPDF',
  git: 'GitPython',
  github: 'PyGithub',
  gitlab: 'python-gitlab',
  google: 'google-api-python-client',
  'google.ai': 'google-ai-generativelanguage',
  'google.auth': 'google-auth',
  'google.genai': 'google-genai',
  'google.generativeai': 'google-generativeai',
  'google.oauth2': 'google-auth',
  'google.protobuf': 'protobuf',
  googleapiclient: 'google-api-python-client',
  gridfs: 'pymongo',
  hubspot: 'hubspot-api-client',
  imblearn: 'imbalanced-learn',
  intercom: 'python-intercom',
  jenkins: 'python-jenkins',
  jose: 'python-jose',
  jwt: 'PyJWT',
  kafka: 'kafka-python',
  ldap: 'python-ldap',
  linebot: 'line-bot-sdk',
  magic: 'python-magic',
  memcache: 'python-memcached',
  mpl_toolkits: 'matplotlib',
  multipart: 'python-multipart',
  mysql: 'mysql-connector-python',
  MySQLdb: 'mysqlclient',
  nacl: 'PyNaCl',
  nmap: 'python-nmap',
  OpenGL: 'PyOpenGL',
  OpenSSL: 'pyOpenSSL',
  osgeo: 'GDAL',
  pdfminer: 'pdfminer.six',
  PIL: 'Pillow',
  pkg_resources: 'setuptools',
  plaid: 'plaid-python',
  pptx: 'python-pptx',
  psycopg2: 'psycopg2-binary',
  pythoncom: 'pywin32',
  quickbooks: 'python-quickbooks',
  rest_framework: 'djangorestframework',
  RPi: 'RPi.GPIO',
  ruamel: 'ruamel.yaml',
  serial: 'pyserial',
  shapefile: 'pyshp',
  shopify: 'ShopifyAPI',
  skimage: 'scikit-image',
  sklearn: 'scikit-learn',
  slack: 'slackclient',
  slack_sdk: 'slack-sdk',
  slugify: 'python-slugify',
  snowflake: 'snowflake-connector-python',
  socketio: 'python-socketio',
  socks: 'PySocks',
  speech_recognition: 'SpeechRecognition',
  tabula: 'tabula-py',
  talib: 'TA-Lib',
  telegram: 'python-telegram-bot',
  trello: 'py-trello',
  umap: 'umap-learn',
  usb: 'pyusb',
  vlc: 'python-vlc',
  weaviate: 'weaviate-client',
  websocket: 'websocket-client',
  whois: 'python-whois',
  win32api: 'pywin32',
  win32com: 'pywin32',
  win32con: 'pywin32',
  win32gui: 'pywin32',
  wx: 'wxPython',
  Xlib: 'python-xlib',
  yaml: 'PyYAML',
  zmq: 'pyzmq',
};

/** Azure has a package for each part of these, and one for each other module. */
const azureGroups: ReadonlySet<string> = new Set(
  'ai cognitiveservices communication data digitaltwins health iot keyvault mgmt mixedreality monitor search storage'.split(
    ' ',
  ),
);

/**
 * The package of a module; of the name of its root unless it is known to have another.
 * @param module with its dots
 */
export function packageOf(module: string): string {
  const [root = module, below, third] = module.split('.');
  if (root === 'google' && below === 'cloud' && third !== undefined) return `google-cloud-${third}`;
  if (root === 'azure' && below !== undefined) {
    const parts = azureGroups.has(below) && third !== undefined ? [below, third] : [below];
    return ['azure', ...parts].join('-');
  }
  for (const name of [`${root}.${below}`, root]) {
    if (Object.hasOwn(names, name)) return names[name] ?? name;
  }
  return root;
}
