exports.name = 'Debug listener';
