#!/usr/bin/env python
# coding: utf-8

# In[1]:


from given.checks import Checks

grader = Checks()


# # Homework
# 
# Read `q01` first.

# In[3]:


get_ipython().run_line_magic('load_ext', 'lab_black')
get_ipython().run_line_magic('autoreload', '2')
import math

import torch


# In[4]:


def double(x):
    return int(torch.tensor(2 * x))


# In[5]:


grader.check("q01_double")


# In[6]:


def greet():
    return "hello"[: math.ceil(5)]


# In[7]:


grader.check("q02_greet")


# In[8]:


grader.export()

