export default {
  type: 'app',
  app: 'thing',
  methods: {
    double(n) {
      const twice = n * 2; // stop: app method
      return twice;
    },
  },
};
