require('./compile-once');
module.exports = require('@swc/jest');
