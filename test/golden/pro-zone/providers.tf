terraform {
  required_providers {
    cloudflare = {
      source  = "cloudflare/cloudflare"
      version = ">= 5.19, < 6"
    }
  }
}

provider "cloudflare" {}
