'use strict';
/**
 * Runs the test suite inside the extension host of an ordinary window. Under VS Code's own
 * `extensionTestsPath` it refuses modal dialogs and hides notifications, which the tests look at.
 */
exports.activate = () => {
  // Not awaited: the suite takes minutes, an activation must not. The suite reports to the driver.
  if (process.env.WEIR_TEST_ENTRY) void require(process.env.WEIR_TEST_ENTRY).run();
};
