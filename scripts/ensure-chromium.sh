#!/bin/sh
# The browser that the HTML reports are tested in: Debian's, installed where it is missing.
command -v chromium >/dev/null && exit 0
command -v apt-get >/dev/null || { echo 'chromium is missing, and there is no apt-get to install it'; exit 1; }
apt-get update -qq && apt-get install -y -qq chromium >/dev/null
command -v chromium >/dev/null || { echo 'chromium is missing, and could not be installed'; exit 1; }
