const shop = {
  type: 'app',
  app: 'shop',
  propDefinitions: {
    store: {
      type: 'string',
      label: 'Store',
      description: 'Whose orders become events.',
      async options() {
        return ['Berlin', 'Lisbon', 'Oslo', 'Turin'].map((name) => ({
          label: name,
          value: `st_${name.slice(0, 3).toLowerCase()}`,
        }));
      },
    },
  },
};

export default {
  key: 'shop-new-orders',
  name: 'New orders',
  description: 'Emits each order of a store.',
  version: '0.1.0',
  type: 'source',
  props: {
    http: '$.interface.http',
    shop,
    store: { propDefinition: [shop, 'store'] },
    which: {
      type: 'string',
      label: 'Which orders',
      options: ['All of them', 'Large ones'],
      default: 'All of them',
      reloadProps: true,
    },
    key: { type: 'string', label: 'Signing key', secret: true },
  },
  additionalProps() {
    if (this.which !== 'Large ones') return {};
    return { least: { type: 'integer', label: 'Least amount', min: 1 } };
  },
  run({ body }) {
    if (body.total < (this.least ?? 0)) return;
    console.log(`order ${body.id} of ${body.total}`);
    this.$emit(body, {
      summary: `Order ${body.id} from ${body.customer}`,
      ts: Date.now(),
    });
  },
};
